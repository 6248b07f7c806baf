/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = '9a12f13d82217ed767556260f37b6d8caa91f26b86d48641d055165665ae1ef2'
