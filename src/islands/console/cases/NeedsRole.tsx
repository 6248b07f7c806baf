import type { OperatorScope } from '../../../contract/endpoint.ts'
import { LoadFailure } from '../../../design/LoadFailure.tsx'
import { neededRole, rolesInWords } from './roleWords.ts'
import { useOperator } from './useOperator.ts'

/** Stands where a decision would, for whom it is not open. Nothing, for whom it is. */
export function NeedsRole({ scope }: { scope: OperatorScope }) {
  const { me, can, failure, askAgain } = useOperator()
  if (failure !== null) return <LoadFailure msg={failure} onRetry={askAgain} />
  if (me === null || can(scope)) return null
  return (
    <p className="soft small">
      {neededRole(scope)} You are {rolesInWords(me.roles)}.
    </p>
  )
}
