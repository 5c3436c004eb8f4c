/* Its name is a language. */
new Intl.NumberFormat(self.name).format(0);
self.close();
