// Which modules the build puts into one file, because each file of a page costs a request.

import { parse } from 'node:path'

/** The operators' modules. */
const CONSOLE = /\/src\/(?:contract|islands)\/console\//
const SIGNED_IN = ['/node_modules/', '/src/contract/', '/src/design/', '/src/islands/']
/** Modules that public pages use too. Each stays apart, and a page's first figures wait for `money` alone. */
const PUBLIC_MODULES = [
  '/src/contract/bytes.ts',
  '/src/contract/dates.ts',
  '/src/contract/money.ts',
  '/src/contract/numbers.ts',
  '/src/islands/lib/saveFile.ts',
  '/src/time.ts',
  'vite/preload-helper.js',
]
/** A public element of its own. It imports some of the modules above, which its group must not take along. */
const PLAYBACK = '/src/islands/investing/playback/StrategyPlayback.ts'
/** The sheets of components that public pages use too stay apart: their first flight is 14 KB. */
const PUBLIC_SHEETS = ['Button', 'ErrorBoundary', 'Field', 'Form', 'Logo', 'Notice', 'Status']

/** A group also takes what its modules import, so the modules of most pages come first. */
export const sharedScripts = [
  {
    name: (id: string) => {
      const path = PUBLIC_MODULES.find((end) => id.endsWith(end))
      return path === undefined ? null : parse(path).name
    },
    priority: 3,
  },
  { name: 'playback', test: (id: string) => id.endsWith(PLAYBACK), priority: 2 },
  // What many signed-in screens use.
  {
    name: 'shared',
    test: (id: string) => SIGNED_IN.some((folder) => id.includes(folder)) && !CONSOLE.test(id),
    minShareCount: 11,
    priority: 1,
  },
  // What several screens of the console use.
  { name: 'console', test: CONSOLE, minShareCount: 5 },
]

/** The sheets of all other components are one, because most signed-in screens need most of them. */
export const sharedSheets = [
  {
    name: 'components',
    test: (id: string) =>
      id.includes('/src/design/') &&
      id.endsWith('.module.css') &&
      PUBLIC_SHEETS.every((name) => !id.endsWith(`/${name}.module.css`)),
  },
]
