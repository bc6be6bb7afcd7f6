/** How a command ends. The documentation and the manual page are held to this table. */
export const EXIT_CODES = {
  done: { code: 0, meaning: "It is done." },
  failed: {
    code: 1,
    meaning:
      "It could not be done: a file or a user is not there, a record is wrong, a check failed, or a server that was told to stop had to lose something.",
  },
  misused: {
    code: 2,
    meaning:
      "It could not be understood: an unknown command or option, an argument that is missing, or a setting that cannot be used.",
  },
  busy: {
    code: 3,
    meaning: "Another process holds the database locked. The same command may go well later.",
  },
  found: {
    code: 4,
    meaning: "It is done, and has found what somebody has to see to: keys that expire soon.",
  },
  hungUp: {
    code: 129,
    meaning: "Its terminal was closed (SIGHUP). What is kept of its work is the same as after Ctrl+C.",
  },
  interrupted: {
    code: 130,
    meaning: "It was interrupted (Ctrl+C), and has said what is kept of its work.",
  },
  terminated: {
    code: 143,
    meaning: "It was told to end (SIGTERM), and has said what is kept of its work.",
  },
} as const;
