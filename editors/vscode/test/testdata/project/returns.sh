ls; rm -rf /srv/a
echo onetwo
ls /srv; rm -rf /srv/b
