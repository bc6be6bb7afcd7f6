/** Outlines on a grid of 24, drawn with one pen. */
const OUTLINES = {
  profile: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c1-3.6 4-5.5 7.5-5.5s6.5 1.9 7.5 5.5",
  links: "M5 6.5h14M5 12h14M5 17.5h8",
  jobs: "M4 8.5h16v10.5H4ZM9 8.5V5.5h6v3M4 13h16",
  projects: "M12 3.5l8 4.25v8.5l-8 4.25-8-4.25v-8.5ZM4 7.75l8 4.25 8-4.25M12 12v8.5",
  education: "M2.5 9.5L12 5l9.5 4.5L12 14ZM6.5 11.5V16c3 2.7 8 2.7 11 0v-4.5",
  numbers: "M5 19.5v-6M10 19.5V8.5M15 19.5v-4M20 19.5v-15",
  codes:
    "M4.5 4.5h6v6h-6ZM13.5 4.5h6v6h-6ZM4.5 13.5h6v6h-6ZM13.5 13.5h2.5v2.5h-2.5ZM19.5 13.5v.01M19.5 19.5h-3v.01M13.5 19.5v.01",
  keys: "M8.5 18.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM11.7 10.8L19.5 3M16 6.5l3 3",
  hooks: "M20.5 3.5L3.5 10l7 3.5 3.5 7ZM10.5 13.5l4-4",
  history: "M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2",
  "take-along": "M12 3.5v11M7.5 10l4.5 4.5 4.5-4.5M4.5 16v4h15v-4",
  account:
    "M12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM12 3.5v3M12 17.5v3M3.5 12h3M17.5 12h3M6 6l2.1 2.1M15.9 15.9L18 18M18 6l-2.1 2.1M8.1 15.9L6 18",
  shown:
    "M2.5 12C4.5 8 8 6 12 6s7.5 2 9.5 6c-2 4-5.5 6-9.5 6s-7.5-2-9.5-6ZM12 14.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Z",
  unseen:
    "M4 4l16 16M9.5 6.3c.8-.2 1.6-.3 2.5-.3 4 0 7.5 2 9.5 6-.7 1.4-1.6 2.6-2.7 3.5M6 7.7c-1.5 1-2.7 2.5-3.5 4.3 2 4 5.5 6 9.5 6 1.4 0 2.7-.2 3.9-.7",
  hidden: "M6 11h12v9H6ZM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  plus: "M12 5v14M5 12h14",
  bin: "M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10.5 11v5M13.5 11v5",
  open: "M9 6l6 6-6 6",
  away: "M8 5h11v11M19 5L6 18",
  copy: "M9 9h11v11H9ZM15 9V4H4v11h5",
  done: "M4.5 12.5l5 5L19.5 7",
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  phone: "M7.5 3h9v18h-9ZM11 18h2",
  desktop: "M3.5 5h17v11h-17ZM9 20h6M12 16v4",
  light:
    "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z",
  passkey:
    "M10 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3.5 19.5c.7-3.2 3.3-5 6.5-5 1 0 1.9.2 2.7.500M17.5 15a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM17.5 15v6M17.5 18.5h2",
} as const;

type IconName = keyof typeof OUTLINES;

/** A picture beside words that say the same, and so nothing to be read out. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={OUTLINES[name]} />
    </svg>
  );
}

/** Six dots to take hold of. */
export function Grip() {
  const dots = [6, 12, 18].flatMap((y) => [9, 15].map((x) => ({ x, y })));
  return (
    <svg class="icon grip" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {dots.map(({ x, y }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="1.4" />
      ))}
    </svg>
  );
}
