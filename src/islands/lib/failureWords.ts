import { ApiFailure, networkFailure } from './ApiFailure.ts'
import { unanswered } from './connection.ts'

/** The sentence for what a load threw. What is neither the API's failure nor a part of the page that didn't come is a fault of ours: logged, and said in general words. */
export function failureWords(error: unknown): string {
  if (error instanceof ApiFailure) return error.msg
  if (isUnfetched(error)) {
    unanswered()
    return networkFailure().msg
  }
  console.error(error)
  return 'Something went wrong on this page. Please reload it.'
}

// Each browser, and the loader of styles, has its own words for a module that could not be fetched.
function isUnfetched(error: unknown): boolean {
  return error instanceof Error && /import|preload/i.test(error.message)
}
