/** Hands a file to the browser, which saves it where it saves things. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold of the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
