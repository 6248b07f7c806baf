import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { root } from '../../scripts/toolchain.mjs'

/**
 * The folders of worker/ that differ from the branch's upstream, or from the last commit if it has none. A change of a contract counts
 * for the area of the same name. A change of the migrations counts for the ledger.
 *
 * @returns {string[]} such as `worker/money/deposits`
 */
export function changedFolders() {
  const base = upstream()
  return foldersToTest([
    ...git('diff', '--name-only', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ])
}

function upstream() {
  try {
    return git('rev-parse', '--abbrev-ref', '@{upstream}')[0] ?? 'HEAD'
  } catch {
    return 'HEAD'
  }
}

/** @param {string[]} parameters @returns {string[]} the lines that git prints */
function git(...parameters) {
  return execFileSync('git', parameters, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter((line) => line !== '')
}

/** The folders whose tests concern these files. @param {readonly string[]} paths from the project's folder */
export function foldersToTest(paths) {
  const folders = paths.flatMap((path) => {
    // What every call goes through is tested beside the HTTP answers.
    if (path.startsWith('worker/')) return [dirname(path) === 'worker' ? 'worker/http' : dirname(path)]
    const [, area] = /^src\/contract\/(\w+)\//.exec(path) ?? []
    if (area !== undefined) return [`worker/${area}`]
    return path.startsWith('migrations/') ? ['worker/ledger'] : []
  })
  // A folder with the tests of a folder above it would run twice.
  return [...new Set(folders)]
    .filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
    .sort()
}
