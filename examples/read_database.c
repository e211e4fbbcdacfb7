/* Read a database of Zermelo: the value of each state that a line of the input names. docs/database-format.md describes
 * the format. This reader believes nothing that it has not checked.
 *
 *     cc -O2 -o read_database read_database.c -lzstd -lxxhash
 *     echo "3 273 2" | ./read_database solved.zermelo          (stage 3; the numbers of the state, or its one number)
 */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From zstd.h and xxhash.h, which need not be installed. */
size_t ZSTD_decompress(void *to, size_t capacity, const void *from, size_t size);
uint64_t XXH3_64bits(const void *data, size_t size);

enum { PREFIX = 12, TRAILER = 32, ROW = 12, BLOCK = 65536, MIN_FRAME = 9, MAX_FRAME = BLOCK + 1024, FIELDS = 4096 };
typedef struct { char name[40], type[4]; uint64_t length, size, first, cached; uint8_t *block; } Section;
typedef struct { uint64_t low, bits, word, shift, used, partner, digit, inside; } Field;

static FILE *file;
static uint8_t *tail;                    /* index, table and trailer, as they are in the file */
static uint64_t *offsets, blocks, section_count, field_count, words;
static const uint8_t *table;
static Section *sections;
static Field fields[FIELDS];

static void check(int right, const char *what) {
    if (!right) { fprintf(stderr, "The file is damaged: %s.\n", what); exit(1); }
}
static uint64_t number_at(const uint8_t *bytes, int size) {          /* little-endian on every machine */
    uint64_t number = 0;
    for (int i = 0; i < size; i++) number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}
static void read_at(uint64_t start, void *to, uint64_t size) {
    check(!fseeko(file, (off_t)start, SEEK_SET) && fread(to, 1, size, file) == size, "it is too short");
}

/* JSON: a value is a pointer to its first letter, in text that ends with a zero. */
static const char *space(const char *p) { return p + strspn(p, " \t\r\n"); }
static const char *skip(const char *p, int depth) {                  /* the end of a value */
    check(depth < 16, "its index is nested too deeply");
    if (*p == '"') {
        for (p++; *p != '"'; p++) { check(*p && (*p != '\\' || *++p), "a text does not end"); }
        return p + 1;
    }
    if (*p != '{' && *p != '[') { size_t size = strcspn(p, ",]} \t\r\n"); check(size > 0, "no JSON"); return p + size; }
    char close = *p == '{' ? '}' : ']';
    p = space(p + 1);
    while (*p != close) {
        p = space(skip(p, depth + 1));
        if (close == '}') { check(*p == ':', "no JSON"); p = space(skip(space(p + 1), depth + 1)); }
        check(*p == close || (*p == ',' && *(p = space(p + 1)) != close), "no JSON");
    }
    return p + 1;
}
static const char *first_part(const char *p) {                       /* of a list or an object; NULL if there is none */
    check(p && (*p == '{' || *p == '['), "a part of its index has another form");
    p = space(p + 1);
    return *p == '}' || *p == ']' ? NULL : p;
}
static const char *next_part(const char *p) { p = space(skip(p, 0)); return *p == ',' ? space(p + 1) : NULL; }
static const char *element(const char *p, int i) {
    for (p = first_part(p); p && i > 0; i--) p = next_part(p);
    return p;
}
static const char *member(const char *p, const char *name) {
    for (p = first_part(p); p; p = next_part(p)) {
        const char *value = space(space(skip(p, 0)) + 1);
        if (!strncmp(p + 1, name, strlen(name)) && p[1 + strlen(name)] == '"') return value;
        p = value;
    }
    return NULL;
}
static int is(const char *p, const char *text) { return p && !strncmp(p, text, strlen(text)); }
static uint64_t integer(const char *p) {                             /* negative numbers modulo 2^64 */
    check(p && (*p == '-' || (*p >= '0' && *p <= '9')), "a number is missing");
    return *p == '-' ? (uint64_t)strtoll(p, NULL, 10) : strtoull(p, NULL, 10);
}

static const char *open_file(const char *path) {                     /* returns the header */
    uint8_t prefix[PREFIX];
    check((file = fopen(path, "rb")) != NULL, "it cannot be read");
    fseeko(file, 0, SEEK_END);
    uint64_t length = (uint64_t)ftello(file), size, start;
    read_at(0, prefix, PREFIX);
    check(!memcmp(prefix, "\x89Zermelo", 8) && number_at(prefix + 8, 4) == 1, "it is no file of Zermelo, format 1");
    check(length >= PREFIX + TRAILER, "it is too short");
    uint8_t trailer[TRAILER];
    read_at(length - TRAILER, trailer, TRAILER);
    size = number_at(trailer, 8), blocks = number_at(trailer + 8, 8);
    check(number_at(trailer + 16, 8) == length, "its length is another");
    check(size <= 1 << 28 && blocks <= length / MIN_FRAME, "its sizes");
    check(PREFIX + size + blocks * ROW + TRAILER <= length, "its sizes");
    start = length - TRAILER - blocks * ROW - size;
    check((tail = malloc(PREFIX + (length - start))) && (offsets = calloc(blocks + 1, 8)), "there is no memory for it");
    memcpy(tail, prefix, PREFIX);
    read_at(start, tail + PREFIX, length - start);
    check(XXH3_64bits(tail, PREFIX + length - start - 8) == number_at(trailer + 24, 8), "its index was changed");
    table = malloc(blocks * ROW + 1);
    memcpy((void *)table, tail + PREFIX + size, blocks * ROW);
    for (uint64_t i = 0, at = PREFIX; i <= blocks; i++) {            /* the frames fill the file up to the index */
        offsets[i] = at;
        if (i < blocks) at += number_at(table + i * ROW, 4);
        check(i == blocks ? at == start : at - offsets[i] >= MIN_FRAME && at - offsets[i] <= MAX_FRAME, "its table");
    }
    tail[PREFIX + size] = 0;                                         /* the JSON ends here */
    const char *index = (const char *)tail + PREFIX, *rows;
    check(*skip(index, 0) == 0, "its index is no JSON");
    rows = member(index, "sections");
    for (const char *row = first_part(rows); row; row = next_part(row)) section_count++;
    check((sections = calloc(section_count + 1, sizeof(Section))) != NULL, "there is no memory for it");
    Section *each = sections;
    uint64_t first = 0;
    for (const char *row = first_part(rows); row; row = next_part(row), each++) {
        const char *name = element(row, 0), *type = element(row, 1);
        check(is(name, "\"") && skip(name, 0) - name < 40 && is(type, "\"") && skip(type, 0) - type == 5, "a section");
        memcpy(each->name, name + 1, (size_t)(skip(name, 0) - name - 2));
        memcpy(each->type, type + 1, 3);
        each->length = integer(element(row, 2)), each->first = first, each->cached = UINT64_MAX;
        check(strchr("1248", type[3]) && each->length < 1ull << 48, "the size of a section");
        each->size = each->length * (uint64_t)(type[3] - '0');
        first += (each->size + BLOCK - 1) / BLOCK;
    }
    check(first == blocks, "its sections are not those of its blocks");
    return member(index, "header");
}

static Section *section(const char *kind, long long stage, const char *type, uint64_t length) {
    char name[64];
    snprintf(name, sizeof name, "%s_%lld", kind, stage);
    for (uint64_t i = 0; i < section_count; i++)
        if (!strcmp(sections[i].name, name) && !strcmp(sections[i].type, type) && sections[i].length == length)
            return &sections[i];
    check(0, "a section is missing, or has another length");
    return NULL;
}
static uint64_t item(Section *from, uint64_t i, int steps) {         /* a number of 8 bytes; steps are summed up */
    uint64_t number = i * 8 / BLOCK, row = from->first + number, size = from->size - number * BLOCK;
    if (number != from->cached) {
        uint8_t frame[MAX_FRAME];
        size_t length = offsets[row + 1] - offsets[row];
        read_at(offsets[row], frame, length);
        check(XXH3_64bits(frame, length) == number_at(table + row * ROW + 4, 8), "a block has another checksum");
        size = size < BLOCK ? size : BLOCK;
        check(from->block || (from->block = malloc(BLOCK)), "there is no memory for it");
        check(ZSTD_decompress(from->block, size, frame, length) == size, "a block has another size");
        for (uint64_t at = 8; steps && at < size; at += 8) {
            uint64_t sum = number_at(from->block + at - 8, 8) + number_at(from->block + at, 8);
            for (int byte = 0; byte < 8; byte++) from->block[at + byte] = (uint8_t)(sum >> 8 * byte);
        }
        from->cached = number;
    }
    return number_at(from->block + i * 8 % BLOCK, 8);
}

static void read_packing(const char *rows) {
    uint64_t room = 62;
    words = 1;
    for (const char *row = first_part(rows); row; row = next_part(row), field_count++) {
        check(field_count < FIELDS, "a state has too many numbers");
        Field *each = &fields[field_count];
        each->low = integer(element(row, 0)), each->bits = integer(element(row, 1));
        each->word = integer(element(row, 2)), each->shift = integer(element(row, 3));
        each->used = element(row, 4) ? integer(element(row, 4)) : UINT64_MAX;      /* all bits, unless it says which */
        check(each->bits <= 64, "the width of a number");
        uint64_t width = each->bits;
        if (element(row, 5)) {                                          /* two numbers are one in base 3 */
            each->partner = integer(element(row, 5)), each->digit = integer(element(row, 6));
            each->inside = integer(element(row, 7));
            check(each->partner < FIELDS && (each->digit == 1 || each->digit == 2) && each->bits <= 39, "base 3");
            uint64_t most = 1;
            for (uint64_t digit = 0; digit < each->bits; digit++) most *= 3;
            for (width = 0; (most - 1) >> width; width++) {}
            Field *other = &fields[each->partner];
            if (each->partner < field_count) {                          /* they are where the first of them is */
                check(each->word == other->word && each->shift == other->shift, "numbers are packed in another way");
                continue;
            }
        }
        if (width > room) room = 64, words++;
        room -= width;
        check(each->word == words - 1 && each->shift == room, "numbers are packed in another way");
    }
    for (uint64_t i = 0; i < field_count; i++) check(!fields[i].digit || fields[i].partner < field_count, "base 3");
}
static int pack(const uint64_t *numbers, int64_t *key) {             /* 0 if a number does not fit */
    memset(key, 0, words * 8);
    for (uint64_t i = 0; i < field_count; i++) {
        uint64_t number = numbers[i] - fields[i].low, used = fields[i].used, above = 0, weight = fields[i].digit;
        if (fields[i].digit == 2) {
            uint64_t other = numbers[fields[i].partner];
            if (fields[i].inside) number ^= other;
            if (number & other) return 0;
        }
        if (number & ~used) return 0;
        for (uint64_t bit = 0; used; bit++, used &= used - 1, weight *= 3)
            if (number & used & -used) above += weight ? weight : 1ull << bit;
        if (!weight && fields[i].bits < 64 && above >> fields[i].bits) return 0;
        if (fields[i].bits) key[fields[i].word] = (int64_t)((uint64_t)key[fields[i].word] + (above << fields[i].shift));
    }
    key[0]++;
    return 1;
}
static int64_t find(Section *keys, uint64_t length, const int64_t *key) { /* binary search; -1 if it is not there */
    uint64_t low = 0, high = length;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2, i = 0;
        int64_t found = 0;
        while (i < words && (found = (int64_t)item(keys, middle * words + i, words == 1)) == key[i]) i++;
        if (i == words) return (int64_t)middle;
        if (found < key[i]) low = middle + 1; else high = middle;
    }
    return -1;
}

static void print_entry(const char *values, int wdl, uint64_t entry, int64_t base) {
    if (entry == 0) puts("unknown");
    else if (is(values, "\"points\"")) printf("margin %lld\n", (long long)entry - 1 + (long long)base);
    else if (wdl) puts((const char *[]){"", "win", "loss", "draw"}[entry]);
    else if (entry >= 8) printf("%s in %llu\n", entry & 1 ? "loss" : "win", (unsigned long long)(entry - 8) / 2);
    else { check(entry >= 4, "no state has such a value"); puts(entry == 4 ? "draw by repetition" : "draw"); }
}

static void print_expectation(uint64_t lower, uint64_t upper) {
    double low, high;
    memcpy(&low, &lower, 8), memcpy(&high, &upper, 8);
    if (isnan(low)) puts("unknown"); else printf("expectation %.17g\n", (low + high) / 2);
}

int main(int count, char **arguments) {
    if (count != 2) { fprintf(stderr, "usage: read_database FILE < LINES\n"); return 2; }
    const char *header = open_file(arguments[1]);
    const char *values = member(header, "values"), *method = member(header, "method");
    int wdl = is(member(header, "wdl"), "true"), dense = is(method, "\"dense\""), real = is(values, "\"chance\"");
    check(is(member(header, "kind"), "\"solution\""), "it holds no solution");
    check(dense || is(method, "\"reachable\""), "its states are texts, which this program does not read");
    if (!dense) read_packing(member(header, "packing"));
    static char line[1 << 16];
    static uint64_t numbers[FIELDS];
    static int64_t key[FIELDS];
    while (fgets(line, sizeof line, stdin)) {
        char *rest = line, *next;
        long long stage = strtoll(rest, &rest, 10);
        uint64_t given = 0;
        for (; given < FIELDS; given++, rest = next) {               /* a number beyond 63 bits has no sign */
            rest += strspn(rest, " ");
            numbers[given] = *rest == '-' ? (uint64_t)strtoll(rest, &next, 10) : strtoull(rest, &next, 10);
            if (next == rest) break;
        }
        if (given != (dense ? 1 : field_count)) { puts("a line has a stage and the numbers of a state"); continue; }
        const char *row = first_part(member(header, "stages"));
        while (row && (long long)integer(member(row, "stage")) != stage) row = next_part(row);
        if (!row) { puts("unknown"); continue; }
        uint64_t length = integer(member(row, "length")), bits = integer(member(row, "bits"));
        int64_t place = dense && numbers[0] < length ? (int64_t)numbers[0] : -1;
        check(length > 0 && length < 1ull << 32, "the length of a stage");
        check(real ? bits == 64 : wdl ? bits == 2 : bits == 8 || bits == 16 || bits == 32, "the width of an entry");
        if (!dense && pack(numbers, key)) place = find(section("keys", stage, "<i8", length * words), length, key);
        if (place < 0) { puts("unknown"); continue; }
        Section *entries = section("entries", stage, real ? "<f8" : "<i8", (length * bits + 63) / 64);
        uint64_t bit = (uint64_t)place * bits, word = item(entries, bit / 64, 0);
        if (real) print_expectation(word, item(section("uppers", stage, "<f8", length), (uint64_t)place, 0));
        else print_entry(values, wdl, word >> bit % 64 & ((1ull << bits) - 1), (int64_t)integer(member(row, "base")));
    }
    return 0;
}
