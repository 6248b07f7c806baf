// Which modules the build puts into one file, because each file of a page costs a request.

import { parse } from 'node:path'

/** The operators' modules. */
const CONSOLE = /\/src\/(?:contract|islands)\/console\//
const SCREENS = ['/node_modules/', '/src/contract/', '/src/design/', '/src/islands/']
/** Those of them that no page needs before the sign-in. They import each other, and the modules that such a page needs import none. */
const AFTER_SIGN_IN =
  /\/src\/(?:contract\/(?:money\/|identity\/(?:factors|preferences)|isolate|roles)|design\/(?:CopyButton|DateTime|Facts|Modal|Money|Panel|SelectField|Skeleton|Status|Switch|Table|Timeline)\.|islands\/lib\/(?:Loaded|SaveCsv|days|localCsv|pages|useSession)\.)/
/** Modules that public pages use too. Each stays apart, and a page's first figures wait for `money` alone. */
const PUBLIC_MODULES = [
  '/src/contract/dates.ts',
  '/src/contract/money.ts',
  '/src/contract/numbers.ts',
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
    priority: 4,
  },
  // Small modules that a page mostly needs together.
  { name: 'bytes', test: /\/src\/(?:contract\/bytes|islands\/lib\/saveFile)\.ts$/, priority: 4 },
  { name: 'public-api', test: /\/src\/layouts\/(?:publicApi|runWhileBusy)\.ts$/, priority: 4 },
  { name: 'playback', test: (id: string) => id.endsWith(PLAYBACK), priority: 3 },
  // What many screens use, before the sign-in and after it.
  {
    name: 'shared',
    test: (id: string) =>
      SCREENS.some((folder) => id.includes(folder)) && !CONSOLE.test(id) && !AFTER_SIGN_IN.test(id),
    minShareCount: 11,
    priority: 2,
  },
  { name: 'signed-in', test: AFTER_SIGN_IN, minShareCount: 11, priority: 1 },
  // What every page of the dashboard has in its top bar.
  { name: 'bar', test: /\/src\/islands\/(?:investing\/market\/lists|lib\/(?:amounts|priceWords))\.ts$/ },
  // What every form with a file uses.
  { name: 'files', test: /\/src\/(?:contract\/uploads|design\/FileInput|islands\/lib\/fileField)\.tsx?$/ },
  // Shared by the dashboard and the console. Otherwise the dashboard would load the console's group, which takes it along.
  { name: 'kyc', test: /\/src\/contract\/identity\/kyc\.ts$/ },
  { name: 'passwords', test: /\/src\/contract\/identity\/passwords\.ts$/ },
  // Used by withdrawals, plans and redemptions.
  {
    name: 'destinations',
    test: /\/src\/(?:contract\/money\/(?:destinations|withdrawals)|islands\/money\/(?:destinations\/words|withdrawals\/stepUp))\.ts$/,
  },
  // Used by the sign-up and the profile.
  {
    name: 'person',
    test: /\/src\/(?:contract\/identity\/registration|islands\/identity\/signUp\/PersonFields)\.tsx?$/,
  },
  // What every page of the console has around its screen.
  {
    name: 'console-frame',
    test: /\/src\/islands\/console\/(?:cases\/(?:cases\.module|pendingCounts|shortcuts|useOperator|useTabTitle)|search\/words)\./,
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
