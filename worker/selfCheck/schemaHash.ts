/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '4dd213798dfcc6b73cac2bd63e153eeeecf7dbcb662584e0f4da96891c4cf45e'
