// `npm test`: all checks, the quick ones first, until one fails. Its last line has the number of tests that passed and
// failed; a failed check that is no test counts as one. `npm test -- --timings` also prints which steps, test files and
// browser tests took longest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitCodeOf, root, start } from './toolchain.mjs'

/** @typedef {{ passed: number, failed: number }} Counts */

const reports = mkdtempSync(join(tmpdir(), 'evenkeel-test-'))
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')

const showsTimings = process.argv.includes('--timings')

/** @type {{ name: string, command: string, parameters: string[], counts?: () => Counts }[]} */
const steps = [
  {
    name: 'Format and lint',
    command: 'biome',
    parameters: ['ci', `--colors=${process.stdout.isTTY ? 'force' : 'off'}`, '.'],
  },
  {
    name: 'Types of the pages',
    command: 'astro',
    parameters: ['check', '--minimumFailingSeverity', 'warning'],
  },
  { name: 'Types of the scripts', command: 'tsc', parameters: ['--project', 'scripts'] },
  { name: 'Unused code', command: 'knip', parameters: [] },
  {
    name: 'Tests in Node and in workerd',
    command: 'vitest',
    parameters: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    counts: countVitest,
  },
  { name: 'Build', command: 'node', parameters: ['scripts/build.mjs', '--development'] },
  { name: 'Tests in the browser', command: 'node', parameters: ['scripts/e2e.mjs'], counts: countPlaywright },
]

const total = { passed: 0, failed: 0 }
/** @type {[string, number][]} Each step's name and seconds. */
const took = []
for (const { name, command, parameters, counts } of steps) {
  const started = Date.now()
  console.log(`\n— ${name}`)
  const settings = { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport }
  const succeeded = (await exitCodeOf(start(command, parameters, settings))) === 0
  const { passed, failed } = counts?.() ?? { passed: 0, failed: 0 }
  total.passed += passed
  total.failed += succeeded ? failed : Math.max(failed, 1)
  const seconds = (Date.now() - started) / 1000
  took.push([name, seconds])
  console.log(`— ${name}: ${succeeded ? 'passed' : 'FAILED'} in ${Math.round(seconds)} s`)
  if (!succeeded) break
}
if (showsTimings) printTimings()
rmSync(reports, { recursive: true, force: true })
process.exitCode = total.failed === 0 ? 0 : 1
console.log(`\n${total.passed} passed, ${total.failed} failed`)

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

/** A report that was never written counts nothing. @param {string} path */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
