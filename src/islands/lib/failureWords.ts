import { ApiFailure } from './ApiFailure.ts'

/** The sentence for what a load threw. What is not the API's failure is a fault of ours: logged, and said in general words. */
export function failureWords(error: unknown): string {
  if (error instanceof ApiFailure) return error.msg
  console.error(error)
  return 'Something went wrong on this page. Please reload it.'
}
