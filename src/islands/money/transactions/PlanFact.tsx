/** Which plan filed an order or a withdrawal. */
export function buildPlanFact(plan: string) {
  return { label: 'Filed by', value: <a href={`/dashboard/plans?plan=${plan}`}>Your recurring plan</a> }
}
