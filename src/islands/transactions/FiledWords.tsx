/** That a request was filed, and where to follow it. */
export function FiledWords({ reference }: { reference: string }) {
  return (
    <p>
      Your request{' '}
      <a href={`/dashboard/transaction-history?open=${reference}`}>
        <code>{reference}</code>
      </a>{' '}
      was sent and is awaiting approval. Its status is in your transaction history.
    </p>
  )
}
