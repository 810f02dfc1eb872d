"""Getting it running: each client's configuration and its file, the doctor, a terminal beside."""
