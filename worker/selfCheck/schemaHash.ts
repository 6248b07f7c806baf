/** Written by scripts/schema-hash.mjs from the migrations: run that, don't edit this. */
export const SCHEMA_HASH = 'ed8d7a7fbec6ef234674f37bb7fbe2fb16ff9b4a464ee0a66bcc86513558a90b'
