"""Risk of tools with sub-commands: what only reads says so, and nothing that writes or destroys is called reading."""

from __future__ import annotations

import pytest

from sayso.targets.bash.effects.effects import effects, tools
from sayso.targets.bash.language import risk

# A thousand forms: `make check` leaves them to `make test`.
pytestmark = pytest.mark.slow

READS = r"""
git -C d status
git --git-dir=x --work-tree=y status
git --no-pager log
git branch
git branch -a
git branch -vv
git branch --list 'x*'
git branch --show-current
git branch --contains abc
git tag
git tag -l 'v*'
git stash list
git stash show -p
git remote
git remote -v
git remote show origin
git remote get-url origin
git config --list
git config --get user.name
git config user.name
git worktree list
git submodule status
git bisect log
git notes list
git bundle verify x
git archive HEAD
git log -p --textconv
git ls-files
git clean -n
git clean -nd
git clean --dry-run
git fsck
git reflog
git show HEAD:f
git apply --check p
git apply --stat p
git commit --dry-run
git
git -p log
git help log
git rev-parse HEAD
git symbolic-ref HEAD
git --paginate diff
git count-objects -v
git verify-commit x
git range-diff a b
git --help
git --version
git config -l
git sparse-checkout list
git lfs ls-files
apt list --installed
apt show x
apt search x
apt-cache policy x
apt-get -s install x
apt-get --dry-run upgrade
apt-get --simulate remove x
apt-mark showhold
apt-key list
apt-file search x
apt-config dump
aptitude search x
dpkg -l
dpkg -L x
dpkg --get-selections
dpkg -s x
dpkg --print-architecture
docker ps -a
docker images
docker image ls
docker logs -f x
docker inspect x
docker container ls -a
docker container inspect x
docker container logs x
docker volume ls
docker volume inspect x
docker network ls
docker network inspect x
docker system df
docker compose ps
docker compose logs
docker-compose ps
docker --version
docker version
docker info
docker -H tcp://x ps
docker --context x ps
docker context ls
docker save x
docker export x
docker buildx ls
docker stats
docker top x
docker diff x
docker service ls
docker stack ls
docker plugin ls
docker manifest inspect x
podman ps
podman images
systemctl
systemctl list-units
systemctl --user status x
systemctl -H h status x
systemctl is-active x
systemctl show x
systemctl cat x
systemctl list-unit-files
systemctl list-dependencies x
systemctl get-default
systemctl --failed
systemctl --all
systemctl show-environment
systemctl list-sockets
npm ls
npm list -g --depth=0
npm view x version
npm info x
npm outdated
npm audit
npm config list
npm config get x
npm -v
npm --version
npm help
npm whoami
npm root -g
npm prefix
npm search x
npm pack --dry-run
npm version
npm doctor
npm explain x
npm fund
npm ping
npm -g ls
npm --prefix d ls
pip list
pip freeze
pip show x
pip3 list
pip check
pip search x
pip config list
pip cache dir
pip cache list
pip hash f
pip index versions x
pip debug
pip --version
pip -V
pip inspect
pip list --outdated
python -m pip list
pipx list
kubectl get pods
kubectl get pods -n x
kubectl -n x get pods
kubectl --namespace x get pods
kubectl --context=x get pods
kubectl describe pod x
kubectl logs -f x
kubectl apply --dry-run=client -f x
kubectl config view
kubectl config get-contexts
kubectl config current-context
kubectl rollout status d/x
kubectl rollout history d/x
kubectl auth can-i get pods
kubectl top pods
kubectl api-versions
kubectl diff -f x
kubectl wait x
kubectl events
kubectl version
kubectl explain pods
helm list
brew list
brew services list
brew info x
ip a
ip addr show
ip -4 addr
ip -br a
ip route
ip r
ip -s link
ip neigh
ip rule
svn status
tmux ls
screen -ls
service x status
service --status-all
journalctl -u x
journalctl -f
openssl x509 -in f -text
openssl s_client -connect h:443
openssl enc -d -in f
openssl rand -hex 16
conda list
conda env list
snap list
flatpak list
cargo tree
go version
timedatectl
timedatectl status
hostnamectl
loginctl list-sessions
nmcli device status
gh pr list
zfs list
python3 -m pip list
python -m pip
git -c color.ui=never log
git -C d -c color.ui=always diff
tmux list-sessions -F '#S'
dnf history
rpm -qa
rpm -qi x
iptables -L
iptables -t nat -L
sysctl -a
sysctl -n kernel.x
sysctl kernel.x
git -h
""".strip().splitlines()

WRITES = r"""
git reset --soft HEAD~1
git reset -q --soft HEAD^
git branch new
git branch -m a b
git branch --set-upstream-to=origin/x
git tag v1
git stash
git stash pop
git remote add x y
git config user.name x
git config --unset user.name
git config --global alias.x '!rm -rf /'
git worktree add x
git submodule update --init
git archive -o f HEAD
git archive HEAD > f
git diff --output=f
git checkout main
git checkout -b x
git pull --rebase
git fetch --prune
git fetch
git mv a b
git fsck --lost-found
git apply p
git am p
git commit --amend
git merge x
git merge --abort
git log --output=f
git update-index x
git symbolic-ref HEAD x
git stash push -m x
git init
git clone x
git config -e
git config --edit
git maintenance run
apt update
apt-mark hold x
apt edit-sources
apt-get download x
dpkg -i x.deb
docker network create x
docker compose up -d
docker-compose up
docker save x > f
docker save -o f x
docker cp a:b c
docker restart x
docker pause x
docker rename a b
systemctl start x
systemctl daemon-reload
systemctl set-environment A=1
systemctl reset-failed
systemctl try-restart x
npm audit fix
npm install
npm config set x y
npm cache verify
npm pack
npm publish
npm version patch
npm update
npm link
pip install x
pip3 install x
pip config set x y
pip download x
pip install --dry-run x
python3 -m pip install x
kubectl apply -f x
kubectl config use-context x
kubectl config set-context x
kubectl rollout undo d/x
kubectl rollout restart d/x
kubectl cp a b
kubectl cordon x
kubectl taint nodes x y
kubectl edit x
kubectl get pods -o yaml > f
ip link set eth0 down
ip addr add x dev y
svn up
tmux new -s x
journalctl --rotate
journalctl --flush
openssl req -new -out f
openssl x509 -in f -out g
openssl genrsa -out f
conda install x
snap install x
go build
timedatectl set-time x
hostnamectl set-hostname x
git commit
git commit -a
git add
git mv
git format-patch
git branch $x
git diff-tree --outp=f HEAD
ip link set x down
dnf history undo 3
rpm -ivh x
sysctl -w kernel.x=1
sysctl -p
""".strip().splitlines()

DESTROYS = r"""
git -C d clean -fdx
git branch -d x
git tag -d v1
git stash clear
git remote remove x
git worktree remove x
git checkout -f
git checkout .
git checkout HEAD f
git checkout HEAD -- f
git switch -f x
git switch --discard-changes x
git restore .
git restore --staged f
git reset
git reset HEAD f
git reset HEAD~1
git reset --soft --hard HEAD~1
git reset -- --soft
git rebase -i
git rebase --abort
git push -f
git push origin :x
git push origin +x
git push --delete origin x
git push --mirror
git push --prune
git push --force-with-lease
git clean -fdx
git rm f
git rm --cached f
git mv -f a b
git gc
git reflog expire --all
git filter-branch --tree-filter 'rm x' HEAD
git -C "$(rm x)" status
apt remove x
dpkg -r x
docker stop x
docker rm -f x
docker kill x
docker volume rm x
docker system prune -af
docker compose down
docker compose down -v
docker-compose down
docker image prune -a
docker builder prune
docker swarm leave
podman rm x
systemctl stop x
systemctl disable x
systemctl reboot
systemctl poweroff
systemctl --now disable x
systemctl rescue
systemctl hibernate
systemctl revert x
systemctl clean x
systemctl mask x
npm ci
npm uninstall x
npm cache clean --force
npm prune
pip uninstall x
pip3 uninstall -y x
pip cache purge
kubectl -n x delete pod y
kubectl apply --prune -f x
kubectl delete -f x
kubectl config delete-context x
kubectl scale --replicas=0 d/x
kubectl drain x
kubectl replace --force -f x
helm uninstall x
ip -6 route flush
svn rm x
tmux kill-server
tmux run-shell 'rm x'
service x stop
journalctl --vacuum-time=1d
conda remove x
loginctl terminate-user x
nmcli con delete x
gh repo delete x
zfs destroy x
git clean
git rm
python -m pip uninstall x
git branch -D x
git branch --list -D x
ip r del default
ip r d default
rpm -e x
rpm -q --pipe 'rm f' x
dpkg -l --pre-invoke=rm
iptables -L -Z
journalctl --vac
""".strip().splitlines()

UNKNOWN = r"""
git log $x
git submodule foreach 'rm -rf x'
git bisect run sh x
git diff --ext-diff
git grep -O x
git grep --open-files-in-pager=rm x
git difftool
git foo
git -c core.pager=x log
git --exec-path=/x log
git ls-remote --upload-pack=x h
git fetch --upload-pack=x
git daemon
git send-email x
apt-get -o APT::Update::Pre-Invoke::=sh update
docker exec x ls
docker exec -it x bash
docker run --rm x ls
npm run build
npm test
npm exec x
npm rebuild
kubectl exec x -- ls
kubectl exec -it x -- rm f
kubectl port-forward x 80
kubectl run x --image=y
kubectl proxy
kubectl kustomize x
ip netns exec x rm f
ip -batch f
cargo build
git stash $x
git $x
git config $x
git config "$x"
git remote $x
git diff --outp=f
docker compose $x
docker $x ps
kubectl $x
git -c alias.x=!rm x
git -c core.sshCommand=rm fetch
git -c core.fsmonitor=rm status
git clone 'ext::sh -c rm'
git ls-remote ext::x
tmux ls \; kill-server
tmux ls ';' kill-server
tmux display-message -p '#(rm f)'
tmux display -p '#S'
tmux new -d 'rm f'
tmux send-keys 'rm f' Enter
ip a a 1.2.3.4 dev eth0
rpm --eval '%(rm f)'
rpm
dpkg
iptables -nL
screen
screen -r x -X stuff 'rm'
screen -dmS x rm f
""".strip().splitlines()

TABLE = [
    *((command, "reads") for command in READS),
    *((command, "writes") for command in WRITES),
    *((command, "destroys") for command in DESTROYS),
    *((command, "unknown") for command in UNKNOWN),
]


@pytest.mark.parametrize(("command", "level"), TABLE)
def test_level_of_a_form(command: str, level: str) -> None:
    assert risk(command).level == level, risk(command)


def test_the_table_holds_forms_of_every_level() -> None:
    assert len(TABLE) >= 300
    assert min(map(len, (READS, WRITES, DESTROYS, UNKNOWN))) >= 40


@pytest.mark.parametrize("tool", sorted(tools()))
def test_a_sub_command_that_stands_nowhere_is_unknown(tool: str) -> None:
    assert risk(f"{tool} frobnicate").level == "unknown"
    assert risk(f"{tool} frobnicate list").level == "unknown"
    assert risk(f'{tool} "$what"').level == "unknown"


@pytest.mark.parametrize("tool", sorted(tools()))
def test_no_sub_command_is_rated_below_its_entry(tool: str) -> None:
    """With a further word, so that a form that only lists is not what is asked for."""
    known = tools()[tool]
    order = ("reads", "writes", "unknown", "destroys")
    for key, level in known.levels.items():
        words = key.removeprefix(" ".join(known.path)).split()
        if words[-1][0] in "-.*" or key in known.looks or (known.path and not key.startswith(known.path)):
            continue
        found = risk(" ".join([tool, *words, "x"])).level
        assert order.index(found) >= order.index(level), (tool, key, found)


def test_the_names_of_tools_are_those_of_the_file() -> None:
    assert effects().tools == set(tools())
    assert not effects().tools & (set(effects().level) | effects().anything | effects().modes)


@pytest.mark.parametrize(
    "command", ["git -C d status", "git --git-dir x status", "docker -H h ps", "kubectl -n x get pods"]
)
def test_a_value_before_the_sub_command_is_not_taken_for_it(command: str) -> None:
    assert risk(command).level == "reads"


def test_the_words_name_the_sub_command_and_the_flag() -> None:
    assert risk("git -C d push --force").words == ("git push --force", "--force")
    assert risk("docker compose down").words == ("docker compose down",)
    assert risk("docker-compose down").words == ("docker-compose down",)
