#include "adder.h"
#include <stdio.h>
#include <zlib.h>

int main(void)
{
    printf("1 + 2 = %d (zlib %s)\n", add(1, 2), zlibVersion());
    return 0;
}
