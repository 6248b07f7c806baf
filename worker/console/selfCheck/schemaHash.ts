/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '5530e41d43eacef9477c557cfb492e8697bcc0fcf985fa24d4a216eecf929c5a'
