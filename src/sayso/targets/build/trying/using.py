"""Whether what was installed is of use: headers compile alone, .pc files answer, libraries link, tools run.

One script that looks at everything below the prefix; it runs over the layer that a build left.
"""

from __future__ import annotations

CHECK = r"""
fine=0 bad=0
ok() { fine=$((fine + 1)); }
no() { bad=$((bad + 1)); echo "unusable: $*"; }
cd /tmp
export PKG_CONFIG_PATH=/usr/local/lib/pkgconfig:/usr/local/lib/x86_64-linux-gnu/pkgconfig:/usr/local/share/pkgconfig
for pc in $(find /usr/local -name '*.pc'); do
  name=$(basename "$pc" .pc)
  pkg-config --cflags --libs "$name" >/dev/null 2>&1 && ok || no ".pc $pc"
done
flags=
for pc in $(find /usr/local -name "*.pc"); do
  flags="$flags $(pkg-config --cflags "$(basename "$pc" .pc)" 2>/dev/null)"
done
headers=0 good=0
for header in $(find /usr/local/include -name '*.h' -o -name '*.hpp' -o -name '*.hh' | head -60); do
  headers=$((headers + 1))
  shown=${header#/usr/local/include/}
  for language in c c++; do
    printf '#include <stddef.h>\n#include <stdio.h>\n#include <%s>\nint main(void) { return 0; }\n' "$shown" >t.c
    if gcc -x $language $flags -I"$(dirname "$header")" -fsyntax-only t.c 2>/dev/null; then
      good=$((good + 1)); break
    fi
  done
done
# Some headers are only for others of the same package: half of them must stand alone.
if [ $headers -gt 0 ]; then [ $((good * 2)) -ge $headers ] && ok || no "headers: $good of $headers compile"; fi
for library in $(find /usr/local/lib -name 'lib*.so' -o -name 'lib*.a' | head -20); do
  name=$(basename "$library"); name=${name#lib}; name=${name%.so}; name=${name%.a}
  echo 'int main(void) { return 0; }' >l.c
  if gcc l.c -L"$(dirname "$library")" -Wl,--no-as-needed -l"$name" -lm -lpthread -lstdc++ -o l 2>l.err; then ok
  else no "library $library: $(head -1 l.err)"; fi
done
for tool in $(find /usr/local/bin /usr/local/sbin -type f -perm -u+x 2>/dev/null | head -20); do
  timeout 5 "$tool" --help >/dev/null 2>t.err </dev/null && code=0 || code=$?
  if [ $code -eq 126 ] || [ $code -eq 127 ] || [ $code -ge 132 ] || grep -q 'error while loading shared' t.err; then
    no "tool $tool: $code"
  else ok; fi
done
for module in $(find /usr/local -path '*dist-packages/*/__init__.py' | grep -v /tests/ | head -5); do
  name=$(basename "$(dirname "$module")")
  python3 -c "import $name" 2>/dev/null && ok || no "python $name"
done
for module in $(find /usr/local -name '*.pm' | head -5); do
  perl -c "$module" 2>/dev/null && ok || no "perl $module"
done
jars=$(find /usr/local -name '*.jar' | wc -l); [ "$jars" -gt 0 ] && ok
echo "usable: $fine, unusable: $bad"
[ $bad -eq 0 ] && [ $fine -gt 0 ]
"""
