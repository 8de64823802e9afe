#include "adder.h"
#include <stdio.h>
#include <bzlib.h>

int main(void)
{
    printf("1 + 2 = %d (bzip2 %s)\n", add(1, 2), BZ2_bzlibVersion());
    return 0;
}
