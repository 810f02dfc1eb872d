"""What the tests of a fleet stand on: engines, networks that misbehave, journals that grow."""
