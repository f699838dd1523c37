# A node of a Ray cluster that plays tournaments: docs/guides/ray.md.
#   python -m build --wheel && docker build -t goldgriff .
# EXTRAS=ray,train for sweeps: pip then brings torch with CUDA, some gigabytes.
FROM python:3.13-slim-bookworm
ARG EXTRAS=ray
COPY dist/*.whl /tmp/
# hadolint ignore=DL3013
RUN wheel="$(find /tmp -name 'goldgriff-*.whl')" \
    && pip install --no-cache-dir "${wheel}[${EXTRAS}]" \
    && rm "${wheel}" \
    && useradd --create-home --uid 1000 player
# Compiled rules are kept in the home folder.
USER 1000
WORKDIR /home/player
ENV RAY_USAGE_STATS_ENABLED=0
EXPOSE 6379
# The head; another node runs: ray start --address=HEAD:6379 --block
CMD ["ray", "start", "--head", "--port=6379", "--include-dashboard=false", "--block"]
