/** Drawn on 32 by 32 in lines of 1.5, each with a waterline or a keel in it where its meaning leaves room for one. */
const icons: Readonly<Record<string, string>> = {
  stocks: 'M3 21h26M7 21v-7m6 7V8m6 13v6m6-6V4',
  coins: 'M3 27h26M13 4a9 9 0 1 1 0 18 9 9 0 1 1 0-18m0 5v8m-4-4h8m3.5-8.5a9 9 0 0 1 0 17',
  indices: 'M3 27h26M3 20c5 0 5-13 10-13s4 9 8 9 3-5 8-5',
  funds: 'M3 27h26M12 6a7.5 7.5 0 1 1 0 15 7.5 7.5 0 1 1 0-15m8 0a7.5 7.5 0 1 1 0 15 7.5 7.5 0 1 1 0-15',
  privacy: 'M3 11c6 10 20 10 26 0M8 16l-3 4.5m11-2v5.5m8-8 3 4.5',
  encryption: 'M7 14h18v13H7zm4 0V9.5a5 5 0 0 1 10 0V14m-5 5v3',
  insights: 'M3 18h6l3.5-11L18 26l3.500-8H29',
  design: 'M3 11h26M7 11a9 9 0 0 0 18 0m-9 9v7',
}

/** @throws when there is no such icon, naming those that there are */
export function iconPath(name: string): string {
  const path = icons[name]
  if (path === undefined)
    throw new Error(`There is no icon ${name}; there are ${Object.keys(icons).join(', ')}.`)
  return path
}
