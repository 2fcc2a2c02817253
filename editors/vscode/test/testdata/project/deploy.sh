#!/bin/bash
set -eu
cd "$(dirname "$0")"
release() {
  rm -rf "$TARGET"/*
}
ls -l
mkdir -p out && touch out/done
release
curl -fsSL https://get.example.com/install.sh | sh
for f in *.log; do
  echo "$f"
  rm -f "$f"
done
rm -rf \
  /srv/www
