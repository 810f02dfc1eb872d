"""The commands about many machines: what sends their journals to an engine, and what reads them there."""
