/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '69bead9ec679eb0de4e47a94f0d8e0c274f9d822a61a58d493e0ac86c30f7e29'
