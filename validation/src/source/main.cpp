// The median of nine launches.
static double measure(const Pattern &pattern, unsigned *addresses, long long *cycles, unsigned *sink) {
    long long took[9];
    copy(addresses, pattern.addresses, sizeof(pattern.addresses));
    for (int i = 0; i < 9; i++) {
        launch(pattern.kernel, addresses, cycles, sink);
        finish();
        copy(&took[i], cycles, sizeof(long long));
        for (int j = i; j > 0 && took[j] < took[j - 1]; j--) {
            const long long other = took[j];
            took[j] = took[j - 1];
            took[j - 1] = other;
        }
    }
    return (double)took[4] / ACCESSES;
}

int main() {
    char date[16], architecture[64];
    const time_t now = time(nullptr);
    strftime(date, sizeof(date), "%Y-%m-%d", gmtime(&now));
    printf("# date: %s\n# chip: CHIP\n", date);
    describe(architecture, sizeof(architecture));
    if (strcmp(architecture, "CHIP") != 0) {
        fprintf(stderr, "this program is for CHIP, and the device is %s\n", architecture);
        return 1;
    }
    unsigned *addresses = (unsigned *)allocate(LANES * sizeof(unsigned));
    long long *cycles = (long long *)allocate(sizeof(long long));
    unsigned *sink = (unsigned *)allocate(LANES * sizeof(unsigned));
    printf("COLUMNS\n");
    for (const Pattern &pattern : patterns)
        printf("%s,%s,%.3f,%s\n", pattern.name, pattern.instruction, measure(pattern, addresses, cycles, sink), pattern.fingerprint);
    return 0;
}
