#!/bin/sh
# Copies the SQLite store while it is in use, and keeps the newest 14 copies. As a line of /etc/cron.d/automation-marketplace:
# 17 3 * * * marketplace DATA_DIR=/var/lib/automation-marketplace /opt/automation-marketplace/backup.sh /var/backups/automation-marketplace
set -eu
to="${1:?the folder of the copies}"
cd "$(dirname "$0")"
${MARKETPLACE:-node_modules/.bin/automation-marketplace} backup "$to/marketplace-$(date -u +%Y%m%dT%H%M%SZ).db"
ls -1r "$to"/marketplace-*.db | tail -n +15 | while read -r old; do rm -- "$old"; done
