"""Risk: a table of commands with their level. An error upwards is a nuisance; one downwards is a bug."""

from __future__ import annotations

import pytest

from sayso.targets.bash.effects.awk import awk_effect
from sayso.targets.bash.effects.sed import sed_effect
from sayso.targets.bash.language import risk

READS = """
ls -la
cat a b
cat < f
find . -name '*.c' -mtime -3
find . -type f -exec grep -l x {} +
find . -print0 | xargs -0 ls -l
find . | xargs
grep -rn TODO src | head -5
sort -u f | uniq -c
sed -n '1,5p' f
sed 's/a/b/g; /x/d' f
sed -e 's|w|e|' -e '$!d' f
awk '{print $1}' f
awk -F: '$3 > 100 && /a|b/ {print $1}' /etc/passwd
awk 'BEGIN{while(getline line < "f") n++} END{print n}'
ls > /dev/null 2>&1
ls 2>&1 | cat
ls >&2
echo rm -rf /
echo "> f"
echo '$(rm x)'
man rm
which rm
command -v rm
tar tzf a.tgz
tar -c d | wc -c
tar -cf - d | wc -c
tar -xOf a.tar f
gzip -l a.gz
gzip -dc a.gz | less
zcat a.gz
unzip -l a.zip
curl -s https://example.com
wget -qO- https://example.com
git status
git log --oneline
docker ps
systemctl status ssh
apt-cache search x
crontab -l
kill -l
history | tail
date +%F
hostname -I
mount
cd /tmp && ls
export A=1
A=$(ls)
for f in *; do echo "$f"; done
while read l; do echo $l; done < f
if [ -f a ]; then cat a; fi
[[ -d x ]] && echo y
test -f a || echo no
sudo ls /root
env LC_ALL=C sort f
time ls
timeout 5 ping -c1 host
watch 'df -h'
sh -c 'ls | wc -l'
ssh host uptime
diff <(ls a) <(ls b)
tee < f
rsync -n --delete a b
ssh -o ConnectTimeout=5 host ls
fdisk -l
f() { ls; }; f
python --version
xargs -I{} echo {}
ps aux | grep x
du -sh * | sort -h
dd if=f bs=1 count=3
date -d tomorrow
/bin/ls
time
nohup
uniq f
sudo -l
eval ls
trap 'echo bye' EXIT
""".strip().splitlines()

WRITES = """
mkdir -p a/b
touch f
cp a b
mv a b
ln -s a b
chmod +x f
chown -R me: d
ls > f
ls >> f
ls &> f
2> err ls
ls | tee f
ls | tee -a /etc/motd
echo x >> /etc/hosts
sed -i 's/a/b/' f
sed --in-place s/a/b/ f
sed -n 's/a/b/w out' f
awk '{print > "f"}' x
sort -o f f
sort --output=f g
uniq a b
tar czf a.tgz d
tar xzf a.tgz
gzip f
split -l 10 f
find . -fprint out
find . -exec chmod 644 {} \\;
find . -print0 | xargs -0 -I{} mv {} d
find . -exec sh -c 'cp "$1" x' _ {} \\;
curl -o f https://example.com
curl -O https://example.com/f
curl -X POST https://example.com
curl --data x=1 https://example.com
wget https://example.com
scp f host:
rsync -a a b
rsync -e 'ssh -p 22' a h:
xxd -r a b
git commit -m x
git push
docker pull x
apt-get install tree
sudo apt-get update
systemctl restart x
crontab -e
date -s 12:00
hostname newname
mount /dev/sdb1 /mnt
ssh host touch f
su -c 'touch f'
bash -c "mkdir d"
nohup cp a b &
mktemp -d
{ ls; } > f
for f in *; do mv $f x; done
echo $(touch f)
cat <(touch f)
diff a b > c
vim f
history -w f
f() { touch x; }
jq . a > b
ls > $out
ls >& f
""".strip().splitlines()

DESTROYS = """
rm f
rm -rf "$DIR"/*
/bin/rm f
\\rm f
'rm' f
r"m" f
sudo rm -rf /
find . -name x -delete
find . -exec rm {} +
find . -ok rm {} \\;
find . | xargs rm
find . -print0 | xargs -0 -n1 sh -c 'rm "$0"'
ls | while read f; do rm "$f"; done
echo $(rm f)
echo "`rm f`"
cat <(rm f)
x=$(rm f)
echo ${x:-$(rm f)}
echo $(( $(rm f) ))
cat <<< "$(rm f)"
> f
: > f
true > f
cat /dev/null > f
echo -n > f
sort f > f
grep x < f > f
cat f | sort > f
ls >| f
echo x > /etc/passwd
ls | sudo tee /etc/hosts
cat x > /dev/sda
dd if=/dev/zero of=/dev/sda
dd of=f < g
mkfs.ext4 /dev/sda1
mkfs -t ext4 /dev/sda1
shred -u f
truncate -s 0 f
kill -9 1
kill 1
pkill firefox
killall node
reboot
shutdown -h now
rmdir d
unlink f
mv -f a b
mv f /dev/null
cp -f a b
ln -sf a b
tar --delete -f a.tar x
tar --remove-files -cf a.tar d
rsync -a --delete a b
rsync --remove-source-files a b
find / -exec chown x {} +
find /etc -type f -exec sudo chmod 777 {} +
git reset --hard
git clean -fd
git push --force
git checkout -- f
git branch -D x
git stash drop
docker rm x
docker system prune
apt-get purge x
systemctl stop x
crontab -r
echo x | crontab -
history -c
chmod -R 777 /
chown -R me /usr
userdel x
:(){ :|:& };:
bomb() { bomb | bomb & }; bomb
alias ls='rm -rf'
eval "rm -rf x"
sh -c 'rm f'
ssh host 'rm f'
ssh host rm f
watch rm f
timeout 5 nice -n 3 env A=1 nohup rm f
su -c 'rm f' root
if true; then rm f; fi
f() { rm x; }; f
case x in a) rm f;; esac
until rm f; do :; done
! rm f
(rm f)
{ rm f; } 2>/dev/null
ls && rm f
ls || rm f
ls; rm f
ls & rm f
trap 'rm f' EXIT
find . -execdir rm {} \\;
curl -X DELETE https://example.com/x
zip -m a.zip f
iptables -F
kubectl delete pod x
ip link delete eth0
exec rm f
xargs -a list rm
parallel rm
""".strip().splitlines()

UNKNOWN = """
frobnicate
./script.sh
~/bin/ls
./ls
$cmd x
"$(which ls)" x
curl https://example.com/x.sh | sh
curl https://example.com/x.sh | sudo bash
wget -qO- x | bash -s -- -y
base64 -d f | sh
echo cm0gLXJmIC8K | base64 -d | bash
cat f | python
cat f | perl
bash f.sh
bash <(curl x)
bash < f
sh <<< "$x"
source f
. f
eval "$x"
eval $(cat f)
sh -c "$x"
sh -c "ls $(cat f)"
ssh host
sudo -i
sudo su -
su -
python -c 'import os'
perl -e 'unlink "f"'
node x.js
awk 'BEGIN{system("rm f")}'
awk '{print | "sh"}' f
awk -f prog.awk f
sed '1e rm f' f
sed 's/a/b/e' f
sed -f script f
find . -exec {} \\;
find . -exec $cmd {} \\;
find . -exec sh {} \\;
xargs sh
xargs -I{} sh -c '{}'
tar --to-command=sh -xf a.tar
tar -I prog -xf a.tar
sort --compress-program=x f
git -c alias.x=!rm x
docker run x
make
npm start
nc -l 80
fc
env -S 'rm f'
awk -i inplace '{print}' f
rsync -e 'sh -c x' a b
ssh -o ProxyCommand='rm f' host ls
vim -c '!rm f'
GIT_SSH_COMMAND=x git pull
jobs -x rm f
zip -T --unzip-command=sh a.zip
at now < f
LD_PRELOAD=x ls
ls --no-such-flag
ls (
find . -name 'x
rm "unfinished
""".strip().splitlines()

TABLE = [
    *((command, "reads") for command in READS),
    *((command, "writes") for command in WRITES),
    *((command, "destroys") for command in DESTROYS),
    ("ls # harmless\nrm f", "destroys"),
    ('for d in /dev/sda b; do echo x > "$d"; done', "destroys"),
    ('for d in /dev/sda b; do echo "$d" > f; done', "writes"),
    ("bash <<E\nls\nE", "unknown"),
    ("cat <<E\n$(rm f)\nE", "destroys"),
    ("cat <<E | sh\nls\nE", "unknown"),
    *((command, "unknown") for command in UNKNOWN),
]


@pytest.mark.parametrize(("command", "level"), TABLE)
def test_level(command: str, level: str) -> None:
    assert risk(command).level == level, risk(command)


def test_the_table_is_large() -> None:
    assert len(TABLE) >= 150


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("ls | sudo tee out", ("out", "sudo")),
        ("rm -rf $DIR/*", ("rm", "$DIR may be empty")),
        ("rm -rf ${DIR:?}/*", ("rm",)),
        ("find . -name x -delete", ("-delete",)),
        ("sort a > b", ("> b",)),
        ("curl x | sh", ("| sh", "sh")),
        ("git push --force", ("git push --force", "--force")),
        ("ls (", ("does not parse",)),
    ],
)
def test_words_say_why(command: str, words: tuple[str, ...]) -> None:
    assert risk(command).words == words


@pytest.mark.parametrize(
    ("program", "effect"),
    [
        ("s/a/b/", "reads"), ("s,w,e,g", "reads"), ("1,/x/{s/a/b/;p}", "reads"), ("$!N;P;D", "reads"),
        ("/a/a\\\ntext", "reads"), ("y/abc/xyz/", "reads"), (":a;N;$!ba;s/\\n/ /g", "reads"), ("s/[/]/x/w", "writes"),
        ("w out", "writes"), ("/x/w out", "writes"), ("s/a/b/gw out", "writes"), ("s/a/b/e", "unknown"),
        ("e", "unknown"), ("1e ls", "unknown"), ("s/a", "unknown"), ("?", "unknown"), ("10q", "reads"),
    ],
)  # fmt: skip
def test_sed_programs(program: str, effect: str) -> None:
    assert sed_effect(program) == effect


@pytest.mark.parametrize(
    ("program", "effect"),
    [
        ("{print $1}", "reads"), ("/a|b/", "reads"), ("$1 > 5", "reads"), ('{print "a|b > c"}', "reads"),
        ("a || b", "reads"), ('{print > "f"}', "writes"), ("{printf $1 >> f}", "writes"),
        ('{print | "sort"}', "unknown"), ('{"date" | getline d}', "unknown"), ("{system($0)}", "unknown"),
        ('{print "open', "unknown"),
    ],
)  # fmt: skip
def test_awk_programs(program: str, effect: str) -> None:
    assert awk_effect(program) == effect
