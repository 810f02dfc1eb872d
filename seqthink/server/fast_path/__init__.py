"""The fast path: answers on the standard library alone, which hands over to the SDK when it must."""
