import { readdirSync, readFileSync } from 'node:fs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import {
  getSettingFacts,
  SETTING_GROUPS,
  SETTING_KEYS,
  SETTINGS,
} from '../src/contract/console/settingList.ts'
import { createRule } from '../src/contract/console/settingRules.ts'
import { formatDefault } from '../src/contract/console/settingValues.ts'
import { Settings } from '../src/islands/console/settings/Settings.tsx'

test('the default of each setting passes the rule by which it is changed', () => {
  for (const key of SETTING_KEYS) {
    const { unit, default: value } = getSettingFacts(key)
    const sent = unit === 'cents' ? Number(value) / 100 : value
    const read = createRule(key).safeParse(sent)
    expect([key, read.success, read.data]).toEqual([key, true, value])
  }
})

test('the screen shows each setting with what it does', () => {
  const screen = renderToStaticMarkup(createElement(Settings))
  const groups = SETTING_KEYS.map((key) => getSettingFacts(key).group)
  expect([...SETTING_GROUPS].filter((group) => !groups.includes(group))).toEqual([])
  for (const key of SETTING_KEYS) {
    const { label, does } = getSettingFacts(key)
    expect(screen).toContain(`<dt>${label}</dt>`)
    expect(screen).toContain(does)
  }
})

test('the triggers repeat the defaults of the list', () => {
  expect(SETTINGS.twoPersonLimit.default).toBe(500_000)
  const ceilings = readFileSync('migrations/0005_requests.sql', 'utf8')
  for (const part of ['creditsAlone', 'payoutsAlone', 'credits', 'payouts'] as const)
    expect(ceilings).toContain(
      `coalesce(json_extract(value, '$.${part}'), ${SETTINGS[`dailyCeilings.${part}`].default})`,
    )
  expect(SETTINGS.notificationsPerDay.default).toBe(20)
})

test('public pages show settings only through the component that inserts the current value', () => {
  const folders = ['src/pages', 'src/layouts', 'src/content']
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(astro|mdx|yaml|ts)$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
  const read = (file: string) => readFileSync(file, 'utf8')
  // Only one component reads the list.
  expect(files.filter((file) => read(file).includes('settingList.ts'))).toEqual(['src/layouts/Setting.astro'])
  // Figures written out appear only in these files: another figure of a strategy, a default and a sample.
  const figures = new RegExp(
    SETTING_KEYS.filter((key) => getSettingFacts(key).isPublic)
      .map((key) => formatDefault(key).replace('.00', ''))
      .filter((words) => !/^(?:\$0|0%|Yes)$/.test(words))
      // `$10` is not `$100` or `$10,000`.
      .map((words) => `${words.replace('$', '\\$')}(?![\\d,]|\\.\\d)`)
      .join('|'),
  )
  expect(files.filter((file) => figures.test(read(file)))).toEqual([
    'src/content/claims/two-operators.yaml',
    'src/content/legal/privacy-policy.mdx',
  ])
  expect(read('src/content/claims/two-operators.yaml')).toContain('until two operators set another')
  expect(read('src/content/legal/privacy-policy.mdx')).toContain('<Setting of="retention.personDays" />')
})

test('docs/settings.md matches the list', async () => {
  await expect(documentation()).toMatchFileSnapshot('../docs/settings.md')
})

/** The text of docs/settings.md. `npx vitest run --project unit test/settings.test.ts -u` updates the file. */
function documentation(): string {
  const lines = [
    '# Settings',
    '',
    'Administrators change these under /operator/settings, or with `PATCH /api/v1/operator/settings`. This page, the API, the screen',
    'and `npm run launch-check` all come from `src/contract/console/settingList.ts`. Each change takes two administrators. To add a setting,',
    'add an entry there. Then `npx vitest run --project unit test/settings.test.ts -u` updates this page.',
  ]
  for (const group of SETTING_GROUPS) {
    lines.push('', `## ${group}`, '', '| Setting | Key | Default | What it does |', '|---|---|---|---|')
    for (const key of SETTING_KEYS) {
      const { label, does, neededLive, group: own, bounds, unit } = getSettingFacts(key)
      if (own !== group) continue
      const range =
        bounds === undefined || unit === 'basis points'
          ? ''
          : `, ${bounds.least.toLocaleString('en-US')} to ${bounds.most.toLocaleString('en-US')}`
      const needed = neededLive === undefined ? '' : ' Has to be set before live mode.'
      lines.push(`| ${label} | \`${key}\` | ${formatDefault(key)}${range} | ${does}${needed} |`)
    }
  }
  return `${lines.join('\n')}\n`
}
