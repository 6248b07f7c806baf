/** Who it is about: name, and the address that tells namesakes apart. */
export function Person({ name, email }: { name: string; email: string }) {
  return (
    <>
      {name}
      <br />
      <span className="soft small">{email}</span>
    </>
  )
}
