# `docker build -t seqthink .` in a checkout. docs/docker.md says how a client starts it, and where the journals are then.

FROM python:3.13-slim AS build

WORKDIR /build
# Pinned and checked by their hashes, in layers that stay until the pins change. pip compiles what it installs.
COPY .ci/build.txt .ci/fleet.txt .ci/runtime.txt .ci/
RUN python -m venv backend \
    && backend/bin/python -m pip install --no-cache-dir --require-hashes -r .ci/build.txt \
    && python -m venv /opt/seqthink \
    && /opt/seqthink/bin/python -m pip install --no-cache-dir --require-hashes -r .ci/runtime.txt -r .ci/fleet.txt
COPY pyproject.toml README.md LICENSE ./
COPY seqthink seqthink
COPY tui tui
RUN backend/bin/python -m hatchling build -t wheel -d dist \
    && /opt/seqthink/bin/python -m pip install --no-cache-dir --no-deps --no-index dist/*.whl \
    && /opt/seqthink/bin/python -m pip check \
    && /opt/seqthink/bin/python -m pip uninstall --yes pip

FROM python:3.13-slim

LABEL io.modelcontextprotocol.server.name="io.github.OWNER/seqthink" \
    org.opencontainers.image.source="https://github.com/OWNER/seqthink" \
    org.opencontainers.image.licenses="MIT"
# Journals hold what was thought: a folder that only the user may read.
RUN useradd --create-home --uid 10001 seqthink \
    && mkdir -m 700 /journals \
    && chown seqthink:seqthink /journals
COPY --from=build /opt/seqthink /opt/seqthink
ENV PATH=/opt/seqthink/bin:$PATH \
    SEQTHINK_JOURNAL_DIR=/journals
USER 10001
WORKDIR /home/seqthink
VOLUME /journals
ENTRYPOINT ["seqthink"]
CMD ["serve"]
