/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'ac94ec52ca17c03313c51423e78fc558e7d4876345920110b88be63f3a97b189'
