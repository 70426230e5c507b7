#!/bin/sh
# Copies the SQLite store while it is in use, and keeps the newest 14 copies. It says nothing unless it fails, so that
# cron sends no mail; with --verbose it says where the copy is. As a line of /etc/cron.d/automation-marketplace:
# 17 3 * * * marketplace DATA_DIR=/var/lib/automation-marketplace /opt/automation-marketplace/backup.sh /var/backups/automation-marketplace
set -eu
verbose=
if [ "${1:-}" = --verbose ]; then verbose=1; shift; fi
to="${1:?the folder of the copies}"
cd "$(dirname "$0")"
said=$(${MARKETPLACE:-node_modules/.bin/automation-marketplace} backup "$to/marketplace-$(date -u +%Y%m%dT%H%M%SZ).db" 2>&1) || {
  printf '%s\n' "$said" >&2
  exit 1
}
if [ -n "$verbose" ]; then printf '%s\n' "$said"; fi
ls -1r "$to"/marketplace-*.db | tail -n +15 | while read -r old; do rm -- "$old"; done
