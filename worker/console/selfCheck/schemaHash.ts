/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '1968ea42059c064bfd60e83a1ac05aa2a399899783d08a9830921c37974f5f37'
