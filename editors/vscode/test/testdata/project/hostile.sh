#!/bin/sh
echo "🚀🚀"; rm -rf /srv/a
rm -rf "/srv/<img src=x onerror=alert(1)>"
rm -rf '/srv/**bold** [x](command:heed.install) `code`'
rm -rf '/srv/[SAFE] approved'
rm -rf "/srv/‮txt.exe"
echo '[2J[1;1H' > /srv/motd
rm -rf "/srv/a	b"
