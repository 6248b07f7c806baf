/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '27fb84d5939867b885b5be1a3edbfe78c8863dfb533f693bacc4841212c787db'
