"""What `seqthink doctor` looks at: this machine, each client's entry, the journals, the terminal."""
