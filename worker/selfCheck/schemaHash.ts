/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '008daba6d6c23395c72d6a58f1e4b7d9f9d8e8edafdd5e462ec61c8b85f267d6'
