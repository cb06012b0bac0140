// A window of Swing's widgets. java SwingForm.java FILE: each change writes FILE as JSON.

import java.awt.*;
import java.awt.event.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import javax.swing.*;
import javax.swing.event.*;
import javax.swing.table.*;
import javax.swing.tree.*;

public class SwingForm {
  static final Map<String, String> state = new TreeMap<>();
  static Path file;

  static synchronized void note(String name, String value) {
    state.put(name, value);
    StringBuilder out = new StringBuilder("{");
    for (Map.Entry<String, String> entry : state.entrySet()) {
      if (out.length() > 1) out.append(",");
      out.append('"').append(entry.getKey()).append("\":\"").append(entry.getValue().replace("\"", "\\\"")).append('"');
    }
    try {
      Path fresh = Paths.get(file + ".new");
      Files.writeString(fresh, out.append("}").toString());
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  static JMenuItem item(String name, Runnable action) {
    JMenuItem made = new JMenuItem(name);
    made.addActionListener(event -> action.run());
    return made;
  }

  static JMenuBar menus(JFrame frame) {
    JMenu menu = new JMenu("Actions");
    menu.add(item("Greet", () -> note("menu", "Greet")));
    menu.add(item("Ask something", () -> note("answer",
        JOptionPane.showConfirmDialog(frame, "Shall it go on?", "Question", JOptionPane.YES_NO_OPTION) == 0 ? "yes" : "no")));
    menu.add(item("Load a file", () -> {
      JFileChooser chooser = new JFileChooser(file.toFile().getParentFile());
      if (chooser.showOpenDialog(frame) == JFileChooser.APPROVE_OPTION) note("file", chooser.getSelectedFile().getName());
    }));
    menu.add(item("Store a file", () -> {
      JFileChooser chooser = new JFileChooser(file.toFile().getParentFile());
      if (chooser.showSaveDialog(frame) == JFileChooser.APPROVE_OPTION) note("stored", chooser.getSelectedFile().getName());
    }));
    JMenuBar bar = new JMenuBar();
    bar.add(menu);
    return bar;
  }

  static void labelled(JPanel page, String name, JComponent field) {
    JLabel label = new JLabel(name);
    label.setLabelFor(field);
    page.add(label);
    page.add(field);
  }

  static JComponent fields() {
    JPanel page = new JPanel(new GridLayout(0, 2, 8, 8));
    JTextField town = new JTextField();
    town.addCaretListener(event -> note("town", town.getText()));
    labelled(page, "Town", town);
    JCheckBox check = new JCheckBox("Subscribe me");
    check.addItemListener(event -> note("check", String.valueOf(check.isSelected())));
    labelled(page, "Newsletter", check);
    ButtonGroup sizes = new ButtonGroup();
    for (String size : new String[] {"small", "medium", "large"}) {
      JRadioButton button = new JRadioButton("Size " + size);
      button.addActionListener(event -> note("size", size));
      sizes.add(button);
      page.add(button);
    }
    page.add(new JLabel(""));
    JComboBox<String> colour = new JComboBox<>(new String[] {"red", "green", "blue"});
    colour.addActionListener(event -> note("colour", (String) colour.getSelectedItem()));
    labelled(page, "Colour", colour);
    JSpinner amount = new JSpinner(new SpinnerNumberModel(5, 0, 99, 1));
    amount.addChangeListener(event -> note("amount", String.valueOf(amount.getValue())));
    labelled(page, "Amount", amount);
    JSlider volume = new JSlider(0, 100, 10);
    volume.addChangeListener(event -> note("volume", String.valueOf(volume.getValue())));
    labelled(page, "Volume", volume);
    JButton finish = new JButton("Finish");
    finish.addActionListener(event -> note("finished", "yes"));
    page.add(finish);
    return page;
  }

  static JComponent table() {
    DefaultTableModel model = new DefaultTableModel(new Object[] {"Name", "Town"}, 0);
    for (int row = 1; row <= 1000; row++) model.addRow(new Object[] {"person " + row, "town " + row});
    model.addTableModelListener(event -> note("edited", String.valueOf(model.getValueAt(event.getFirstRow(), event.getColumn()))));
    JTable table = new JTable(model);
    table.setRowHeight(26);
    table.getSelectionModel().addListSelectionListener(event -> {
      if (table.getSelectedRow() >= 0) note("row", String.valueOf(table.getValueAt(table.getSelectedRow(), 0)));
    });
    return new JScrollPane(table);
  }

  static JComponent tree() {
    DefaultMutableTreeNode root = new DefaultMutableTreeNode("Food");
    for (String[] names : new String[][] {{"Fruits", "Apples", "Pears"}, {"Vegetables", "Carrots", "Onions"}}) {
      DefaultMutableTreeNode branch = new DefaultMutableTreeNode(names[0]);
      branch.add(new DefaultMutableTreeNode(names[1]));
      branch.add(new DefaultMutableTreeNode(names[2]));
      root.add(branch);
    }
    JTree tree = new JTree(root);
    tree.setRowHeight(26);
    tree.addTreeSelectionListener(event -> note("item", String.valueOf(event.getPath().getLastPathComponent())));
    JPopupMenu menu = new JPopupMenu();
    menu.add(item("Peel it", () -> note("menu", "Peel it")));
    tree.setComponentPopupMenu(menu);
    return new JScrollPane(tree);
  }

  static void show() {
    JFrame frame = new JFrame("Swing form");
    frame.setDefaultCloseOperation(WindowConstants.DO_NOTHING_ON_CLOSE);
    frame.addWindowListener(new WindowAdapter() {
      public void windowClosing(WindowEvent event) {
        if (JOptionPane.showConfirmDialog(frame, "Leave without saving?", "Leave", JOptionPane.YES_NO_OPTION) == 0) System.exit(0);
      }
    });
    frame.setJMenuBar(menus(frame));
    JTabbedPane tabs = new JTabbedPane();
    tabs.addTab("Fields", fields());
    tabs.addTab("Table", table());
    tabs.addTab("Tree", tree());
    tabs.addChangeListener(event -> note("tab", tabs.getTitleAt(tabs.getSelectedIndex())));
    frame.add(tabs);
    frame.setBounds(60, 60, 900, 560);
    frame.setVisible(true);
    note("tab", "Fields");
  }

  public static void main(String[] words) {
    file = Paths.get(words[0]);
    for (Object key : Collections.list(UIManager.getDefaults().keys())) {
      if (String.valueOf(key).endsWith(".font")) UIManager.put(key, new Font("DejaVu Sans", Font.PLAIN, 16));
    }
    SwingUtilities.invokeLater(SwingForm::show);
  }
}
