"""The SDK path: the same server on the official SDK, with questions to the client and audits."""
