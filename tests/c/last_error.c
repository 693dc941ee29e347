/* dry_last_error: sizes, cuts, what it keeps, and that every thread has its own. */
#include "expect.h"

#include <pthread.h>

static void *of_another_thread(void *unused) {
    size_t needed = 99;
    (void)unused;
    EXPECT(dry_last_error(NULL, 0, &needed) == DRY_OK && needed == 1);
    EXPECT_STATUS(dry_settings_init(NULL, 0), DRY_ERR_NULL, "settings is NULL");
    return NULL;
}

int main(void) {
    char whole[256], cut[8], untouched = 'x';
    size_t needed = 0;
    uint32_t version = dry_version();
    char text[32];
    pthread_t thread;

    /* Before the first failure: an empty message. */
    EXPECT(dry_last_error(NULL, 0, &needed) == DRY_OK && needed == 1);
    EXPECT(dry_last_error(whole, 1, &needed) == DRY_OK && whole[0] == '\0');
    EXPECT(dry_last_error(NULL, 0, NULL) == DRY_OK);

    EXPECT_STATUS(dry_world_create(NULL, NULL), DRY_ERR_NULL, "def is NULL");
    EXPECT(dry_last_error(whole, sizeof whole, &needed) == DRY_OK && needed == strlen(whole) + 1);

    /* Exactly enough, one too few, one byte, none. */
    EXPECT(dry_last_error(whole, needed, NULL) == DRY_OK);
    memset(cut, 'x', sizeof cut);
    EXPECT(dry_last_error(cut, sizeof cut, &needed) == DRY_ERR_CAPACITY && needed == strlen(whole) + 1);
    EXPECT(strlen(cut) == sizeof cut - 1 && strncmp(cut, whole, sizeof cut - 1) == 0);
    EXPECT(dry_last_error(cut, 1, NULL) == DRY_ERR_CAPACITY && cut[0] == '\0');
    EXPECT(dry_last_error(&untouched, 0, &needed) == DRY_ERR_CAPACITY && untouched == 'x');
    EXPECT(dry_last_error(NULL, 5, &needed) == DRY_ERR_NULL);

    /* None of these calls, and no success, altered the message. */
    {
        dry_settings settings;
        char again[256];
        EXPECT(dry_settings_init(&settings, sizeof settings) == DRY_OK);
        EXPECT(dry_last_error(again, sizeof again, NULL) == DRY_OK && strcmp(again, whole) == 0);
        EXPECT(pthread_create(&thread, NULL, of_another_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
        EXPECT(dry_last_error(again, sizeof again, NULL) == DRY_OK && strcmp(again, whole) == 0);
    }

    EXPECT(strcmp(dry_status_name(DRY_OK), "DRY_OK") == 0);
    EXPECT(strcmp(dry_status_name(DRY_ERR_MEMORY), "DRY_ERR_MEMORY") == 0);
    EXPECT(strcmp(dry_status_name((dry_status)77), "unknown status") == 0);
    snprintf(text, sizeof text, "%u.%u.%u", version >> 22, (version >> 12) & 1023u, version & 4095u);
    EXPECT(strcmp(text, dry_version_string()) == 0);
    return verdict();
}
