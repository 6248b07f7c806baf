// `npm test`: runs all checks, quick ones first, until one fails. The last line has the numbers of passed and failed tests; a
// failed check counts as one. `npm test -- --timings` also prints the slowest steps, test files and browser tests. `npm run check` is
// `--quick`: the same checks, the tests in Node that start no other program, and the tests in workerd beside the files that changed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, run, start, waitForExit } from '../../scripts/toolchain.mjs'
import { installTestPackages } from '../packages/packages.ts'
import { changedFolders } from './changed-folders.mjs'

/** @typedef {{ passed: number, failed: number }} Counts */

const reports = mkdtempSync(join(tmpdir(), 'platform-test-'))
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')

const showsTimings = process.argv.includes('--timings')
const isQuick = process.argv.includes('--quick')
const settings = { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport, ...(isQuick && { QUICK: '1' }) }

/** TypeScript 7 checks in half of the time. It has no API yet, which `astro check` and some tests need of TypeScript 6. */
const typeScript = 'node_modules/typescript7/bin/tsc'

/** Options with which TypeScript checks only what changed since its last run. @param {string} name of the file that it keeps */
function buildIncrementalOptions(name) {
  return ['--incremental', '--tsBuildInfoFile', `.astro/${name}.tsbuildinfo`]
}

/** @typedef {{ name: string, command: string, parameters: string[] }} Check */

/** @type {Check[]} Run in parallel. Only failures are printed. */
const checks = [
  { name: 'Format and lint', command: 'biome', parameters: ['ci', '--colors=off', '.'] },
  {
    name: 'Types of the pages',
    command: 'astro',
    parameters: ['check', '--minimumFailingSeverity', 'warning', '--tsconfig', 'tsconfig.pages.json'],
  },
  {
    name: 'Types',
    command: 'node',
    parameters: [typeScript, '--noEmit', ...buildIncrementalOptions('types')],
  },
  {
    name: 'Types of the scripts',
    command: 'node',
    parameters: [typeScript, '--project', 'scripts', ...buildIncrementalOptions('scripts')],
  },
  { name: 'Unused code', command: 'knip', parameters: [] },
]

/** @typedef {Check & { counts: () => Counts }} Suite */

/** @type {(name: string, parameters: string[]) => Suite} */
const inVitest = (name, parameters) => ({
  name,
  command: 'vitest',
  parameters: [
    'run',
    ...parameters,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${vitestReport}`,
  ],
  counts: countVitest,
})

const changed = isQuick ? changedFolders() : []
/** @type {Suite[]} */
const suites = isQuick
  ? [
      inVitest('Tests in Node', ['--project', 'unit']),
      ...(changed.length === 0
        ? []
        : [
            inVitest('Tests in workerd of what changed', [
              '--project',
              'worker',
              '--passWithNoTests',
              ...changed,
            ]),
          ]),
    ]
  : [
      inVitest('Tests in Node and in workerd', []),
      {
        name: 'Tests in the browser',
        command: 'node',
        parameters: ['test/commands/e2e.mjs'],
        counts: countPlaywright,
      },
    ]

const total = { passed: 0, failed: 0 }
/** @type {[string, number][]} Each step's name and seconds. */
const took = []
// Astro generates the types of the pages, which the checks need.
await run('astro', ['sync'])
await Promise.all([
  ...checks.map((check) => timed(check, () => silently(check))),
  ...(isQuick ? [] : [installTestPackages()]),
])
for (const suite of suites) {
  if (total.failed > 0) break
  console.log(`\n— ${suite.name}`)
  await timed(suite, () => waitForExit(start(suite.command, suite.parameters, settings)), suite.counts)
}
if (showsTimings) printTimings()
rmSync(reports, { recursive: true, force: true })
process.exitCode = total.failed === 0 ? 0 : 1
console.log(`\n${total.passed} passed, ${total.failed} failed`)

/**
 * Runs a step and adds its time and its counts to the totals. A failed step counts as at least one failure.
 *
 * @param {Check} step @param {() => Promise<number>} work @param {() => Counts} [counts]
 */
async function timed({ name }, work, counts = () => ({ passed: 0, failed: 0 })) {
  const started = Date.now()
  const succeeded = (await work()) === 0
  const { passed, failed } = counts()
  total.passed += passed
  total.failed += succeeded ? failed : Math.max(failed, 1)
  const seconds = (Date.now() - started) / 1000
  took.push([name, seconds])
  console.log(`— ${name}: ${succeeded ? 'passed' : 'FAILED'} in ${Math.round(seconds)} s`)
}

/** Prints the output of a check only if it fails. @param {Check} check @returns {Promise<number>} its exit code */
async function silently({ command, parameters }) {
  try {
    await run(command, parameters)
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }
}

/** @returns {Counts} */
function countVitest() {
  const report = read(vitestReport)
  return { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0 }
}

/** @returns {Counts} */
function countPlaywright() {
  const stats = read(playwrightReport)?.stats
  return { passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0), failed: stats?.unexpected ?? 0 }
}

/** The steps in their order, then the 20 longest test files and browser tests. */
function printTimings() {
  print('Steps', took)
  const files = read(vitestReport)?.testResults ?? []
  print(
    'Longest test files in Node and in workerd',
    longest(
      files.map((/** @type {{ name: string, startTime: number, endTime: number }} */ file) => [
        file.name.replace(`${root}/`, ''),
        (file.endTime - file.startTime) / 1000,
      ]),
    ),
  )
  const suites = read(playwrightReport)?.suites ?? []
  print('Longest browser tests', longest(suites.flatMap(browserTests)))
}

/**
 * @param {{ title: string, file: string, suites?: any[], specs?: { title: string, tests: { results: { duration: number }[] }[] }[] }} suite
 * @returns {[string, number][]}
 */
function browserTests({ file, suites = [], specs = [] }) {
  /** @type {[string, number][]} */
  const own = specs.map(({ title, tests }) => [
    `${file}: ${title}`,
    tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0) / 1000,
  ])
  return [...own, ...suites.flatMap(browserTests)]
}

/** @param {[string, number][]} times @returns {[string, number][]} */
function longest(times) {
  return times.toSorted(([, a], [, b]) => b - a).slice(0, 20)
}

/** @param {string} heading @param {[string, number][]} times */
function print(heading, times) {
  console.log(`\n${heading}`)
  for (const [name, seconds] of times) console.log(`${seconds.toFixed(1).padStart(8)} s  ${name}`)
}

/** A missing report counts no tests. @param {string} path */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
