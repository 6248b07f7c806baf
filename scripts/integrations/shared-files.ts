// Which modules the build puts into one file, because each file of a page costs a request.

const SIGNED_IN = ['/node_modules/', '/src/design/', '/src/islands/']
/** Modules that public pages use too. Each stays apart, and a page's first figures wait for `money` alone. */
const PUBLIC_MODULES = ['bytes', 'dates', 'money', 'numbers']
/** The sheets of components that public pages use too stay apart: their first flight is 14 KB. */
const PUBLIC_SHEETS = ['Button', 'ErrorBoundary', 'Field', 'Form', 'Logo', 'Notice', 'Status']

/** One script holds the modules that many signed-in screens share, and their imports. */
export const sharedScripts = [
  {
    name: (id: string) => PUBLIC_MODULES.find((name) => id.endsWith(`/src/contract/${name}.ts`)) ?? null,
    priority: 1,
  },
  {
    name: 'shared',
    test: (id: string) => SIGNED_IN.some((folder) => id.includes(folder)),
    minShareCount: 18,
  },
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
