/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'ab3a18af967c4e00f87edd6662fadf22c4b567e6476e9d7b92accfe8c09d7e52'
