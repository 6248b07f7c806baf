import { join, relative } from 'node:path'
import { createVitest } from 'vitest/node'
import { environment, root } from '../../../scripts/toolchain.mjs'

/** The likeliest files of tests, which run before all others: most mutants are noticed there. */
const LIKELIEST = 2

/** Starts vitest, which stays warm from one mutant to the next. */
export async function openTests() {
  Object.assign(process.env, environment, { MUTANT: '', WRANGLER_LOG: 'warn' })
  // One file at a time: to stop at a failure, vitest cannot cancel a file that is just starting.
  const once = { watch: false, bail: 1, fileParallelism: false, maxWorkers: 1 }
  const vitest = await createVitest('test', { root, reporters: [{}], ...once })
  for (const project of vitest.projects) project.provide('isMutating', true)
  /** Files that pass without any change. @type {Set<string>} */
  const sound = new Set()
  return { close: () => vitest.close(), findNoticingTest }

  /**
   * Runs files of tests with a changed source file. No file is written. Returns the first test that fails, and its file; null if all pass.
   * Throws if that file fails without the change, too.
   *
   * @param {{ readonly file: string, readonly text: string }} mutant
   * @param {readonly string[]} files the likeliest first
   */
  async function findNoticingTest({ file, text }, files) {
    const path = join(root, file)
    for (const some of [files.slice(0, LIKELIEST), files.slice(LIKELIEST)]) {
      if (some.length === 0) continue
      process.env.MUTANT = JSON.stringify({ path, text })
      vitest.invalidateFile(path)
      const failed = await findFailedTest(some)
      process.env.MUTANT = ''
      vitest.invalidateFile(path)
      if (failed === null) continue
      const broken = sound.has(failed.file) ? null : await findFailedTest([failed.file])
      if (broken !== null) throw new Error(`This test fails without any change: ${broken.name}`)
      sound.add(failed.file)
      return failed
    }
    return null
  }

  /**
   * The first test that fails, or a file that cannot be loaded; null if all pass.
   *
   * @param {readonly string[]} files
   */
  async function findFailedTest(files) {
    const specifications = await Promise.all(files.map((file) => vitest.globTestSpecifications([file])))
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications.flat())
    // The result also has the modules of earlier runs.
    const modules = testModules
      .map((module) => ({ module, file: relative(root, module.moduleId) }))
      .filter(({ file }) => files.includes(file))
    for (const { module, file } of modules) {
      for (const test of module.children.allTests('failed')) return { file, name: test.fullName }
      if (module.errors().length > 0) return { file, name: file }
    }
    const [first] = modules
    return first !== undefined && unhandledErrors.length > 0 ? { file: first.file, name: first.file } : null
  }
}
