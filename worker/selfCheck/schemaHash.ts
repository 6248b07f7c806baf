/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'a58c94dee9d618107b626574591ff7bbc26d7a95b5649e1a13f4ad3632e9393a'
