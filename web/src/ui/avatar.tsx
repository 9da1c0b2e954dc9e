// The first letter of a name as a picture: drawn by the style sheet, and not read aloud.
export function Avatar({ name }: { name: string }) {
  return <span class="avatar" data-letter={[...name][0]?.toLocaleUpperCase()} aria-hidden="true" />;
}
