/** A button that prints what is shown, as the browser's own command does. */
import { usePage } from "./context.ts"

interface PrintButtonProps {
  /** What is printed, by which its button differs from others. */
  readonly of: string
}

export const PrintButton = ({ of }: PrintButtonProps) => {
  const { words } = usePage()
  return (
    <button type="button" aria-label={`${words.print}: ${of}`} onClick={() => print()}>
      {words.print}
    </button>
  )
}
